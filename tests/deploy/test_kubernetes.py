"""The Kubernetes manifests keep to Kubernetes' own schemas, to the restricted standard, and to what the server does."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from bgcore_server.store import postgres_line
from tests.needs import ROOT

HOME = ROOT / "deploy/kubernetes"
# The oldest that has everything used here, and the newest that there are schemas of.
VERSIONS = ("1.30", "1.37")

Manifest = dict[str, Any]


def listed(folder: str) -> list[Manifest]:
    """What a kustomization lists in its own folder."""
    names = yaml.safe_load((HOME / folder / "kustomization.yaml").read_text())["resources"]
    texts = [(HOME / folder / name).read_text() for name in names if not name.startswith("..")]
    return [manifest for text in texts for manifest in yaml.safe_load_all(text)]


BASE = {(one["kind"], one["metadata"]["name"]): one for one in listed("base")}
DEPLOYMENT = BASE["Deployment", "bgcore"]["spec"]
POD = DEPLOYMENT["template"]["spec"]
[CONTAINER] = POD["containers"]
LABELS = DEPLOYMENT["template"]["metadata"]["labels"]


def argument(name: str) -> str:
    [value] = [
        text.partition("=")[2] for text in CONTAINER["args"] if text.startswith(f"--{name}=")
    ]
    return str(value)


@pytest.mark.needs_deploy_tools
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", BASE, ids="-".join)
def test_a_manifest_keeps_to_the_schema(name: tuple[str, str], version: str) -> None:
    import kubernetes_validate

    kubernetes_validate.validate(BASE[name], version, strict=True)


@pytest.mark.needs_deploy_tools
def test_a_word_that_kubernetes_does_not_know_would_be_found() -> None:
    import kubernetes_validate

    wrong = {**BASE["Service", "bgcore"], "spec": {"selectors": {}}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


@pytest.mark.parametrize("folder", ["base", "monitoring"])
def test_a_kustomization_lists_every_file_of_its_folder(folder: str) -> None:
    names = yaml.safe_load((HOME / folder / "kustomization.yaml").read_text())["resources"]
    assert all((HOME / folder / name).exists() for name in names)
    files = {path.name for path in (HOME / folder).iterdir()} - {"kustomization.yaml"}
    assert files == {name for name in names if not name.startswith("..")}


def test_no_manifest_names_a_namespace() -> None:
    assert all("namespace" not in one["metadata"] for one in BASE.values())


def test_the_pod_keeps_to_the_restricted_standard() -> None:
    pod, container = POD["securityContext"], CONTAINER["securityContext"]
    assert pod["runAsNonRoot"] is True
    assert (pod["runAsUser"], pod["runAsGroup"]) == (10001, 10001)
    assert pod["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["allowPrivilegeEscalation"] is False
    assert container["readOnlyRootFilesystem"] is True
    assert container["capabilities"] == {"drop": ["ALL"]}
    assert POD["automountServiceAccountToken"] is False
    assert {next(iter(set(volume) - {"name"})) for volume in POD["volumes"]} == {"emptyDir"}


def test_the_user_is_that_of_the_image() -> None:
    dockerfile = (ROOT / "deploy/Dockerfile").read_text()
    assert f"\nUSER {POD['securityContext']['runAsUser']}:10001\n" in dockerfile


def test_whatever_selects_servers_finds_them() -> None:
    selectors = [
        DEPLOYMENT["selector"]["matchLabels"],
        BASE["Service", "bgcore"]["spec"]["selector"],
        BASE["Service", "bgcore-servers"]["spec"]["selector"],
        BASE["PodDisruptionBudget", "bgcore"]["spec"]["selector"]["matchLabels"],
        BASE["NetworkPolicy", "bgcore"]["spec"]["podSelector"]["matchLabels"],
    ]
    assert all(selector == LABELS for selector in selectors)


def test_ports_and_probes_are_where_the_server_listens() -> None:
    ports = {port["name"]: port["containerPort"] for port in CONTAINER["ports"]}
    assert {name: argument(flag) for name, flag in (("grpc", "listen"), ("http", "http"))} == {
        name: f"0.0.0.0:{port}" for name, port in ports.items()
    }
    assert CONTAINER["startupProbe"]["grpc"] == CONTAINER["readinessProbe"]["grpc"]
    assert CONTAINER["readinessProbe"]["grpc"]["port"] == ports["grpc"]
    assert CONTAINER["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "http"}
    served = BASE["Service", "bgcore"]["spec"]["ports"]
    assert {port["targetPort"]: port["port"] for port in served} == ports
    allowed = BASE["NetworkPolicy", "bgcore"]["spec"]["ingress"][0]["ports"]
    assert {port["port"] for port in allowed} == set(ports)


def test_a_server_has_the_time_that_it_takes_to_stop() -> None:
    before = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    running = float(argument("grace"))
    assert before + running < POD["terminationGracePeriodSeconds"] - 10


def test_the_database_comes_from_a_secret() -> None:
    [variable] = CONTAINER["env"]
    assert argument("db") == f"$({variable['name']})"
    assert variable["valueFrom"]["secretKeyRef"] == {"name": "bgcore-database", "key": "url"}
    assert not any("postgresql://" in str(one) for one in BASE.values())


def test_the_autoscaler_alone_says_how_many_there_are() -> None:
    scaler = BASE["HorizontalPodAutoscaler", "bgcore"]["spec"]
    assert scaler["scaleTargetRef"]["name"] == "bgcore"
    assert "replicas" not in DEPLOYMENT
    assert scaler["minReplicas"] > 1
    budget = BASE["PodDisruptionBudget", "bgcore"]["spec"]
    assert budget["maxUnavailable"] < scaler["minReplicas"]


def test_postgresql_has_connections_for_as_many_as_there_may_be() -> None:
    scaler = BASE["HorizontalPodAutoscaler", "bgcore"]["spec"]
    most = scaler["maxReplicas"] + DEPLOYMENT["strategy"]["rollingUpdate"]["maxSurge"]
    each = postgres_line.CONNECTIONS + 2  # one listens, one starts
    assert most * each <= 97
    assert f"at most {each} connections" in (HOME / "base/autoscaler.yaml").read_text()


def test_the_monitor_finds_one_service_and_its_port() -> None:
    [monitor] = listed("monitoring")
    assert (monitor["apiVersion"], monitor["kind"]) == (
        "monitoring.coreos.com/v1",
        "ServiceMonitor",
    )
    # The name comes from the kustomization.
    [label] = set(monitor["spec"]["selector"]["matchLabels"]) - {"app.kubernetes.io/name"}
    found = [one for one in BASE.values() if label in one["metadata"].get("labels", {})]
    assert [one["metadata"]["name"] for one in found] == ["bgcore"]
    [endpoint] = monitor["spec"]["endpoints"]
    assert endpoint["port"] in [port["name"] for port in found[0]["spec"]["ports"]]
    assert re.fullmatch(r"\d+s", endpoint["interval"])
