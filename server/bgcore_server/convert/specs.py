"""House rules as messages. What they say is for the engine to judge."""

from __future__ import annotations

from collections.abc import Mapping

from bgcore import Spec
from bgcore.option import Value
from bgcore.spec_words import AXES
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_server.convert.values import option_value, option_values, value
from bgcore_server.spec_fields import FIELDS, spec_path

NAMES = ("id", "title", "summary")


def spec_of(message: pb.VariantSpec) -> Spec:
    """The spec that a request holds."""
    form: dict[str, object] = {"parent": message.base or None}
    form |= {name: text for name in NAMES if (text := getattr(message, name))}
    if message.HasField("start"):
        form["start"] = {str(point): count for point, count in message.start.points.items()}
    if message.HasField("options"):
        form["options"] = list(message.options.names)
    if message.bundles:
        form["bundles"] = {
            name: _values(f"spec bundles.{name}.", bundle.options)
            for name, bundle in message.bundles.items()
        }
    beside = {*FIELDS, *FIELDS.values()}
    axes = _values("spec ", message.axes).items()
    # No axis has the name of a field: so called, it is unknown to the engine as well, and told with all other faults.
    return Spec.of(form | {f"axes.{name}" if name in beside else name: one for name, one in axes})


def _values(at: str, given: Mapping[str, pb.OptionValue]) -> dict[str, Value]:
    return {name: value(spec_path(at + name), one) for name, one in given.items()}


def spec_message(spec: Spec) -> pb.VariantSpec:
    """The message of a spec in its plainest words."""
    form = spec.form
    message = pb.VariantSpec(base=form["parent"])
    for name in NAMES:
        setattr(message, name, form.get(name, ""))
    for name in AXES.keys() & form.keys():
        given = None if form[name] == "none" and AXES[name].optional else form[name]
        message.axes[name].CopyFrom(option_value(given))
    if "start" in form:
        message.start.SetInParent()
        for point, count in form["start"].items():
            message.start.points[int(point)] = count
    if "options" in form:
        message.options.SetInParent()
        message.options.names.extend(form["options"])
    for name, values in form.get("bundles", {}).items():
        for option, one in option_values(values).items():
            message.bundles[name].options[option].CopyFrom(one)
        message.bundles[name].SetInParent()
    return message
