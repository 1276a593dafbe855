// Secure asks over TLS, with an authority of one's own, and with a certificate where the server wants one.
//
//	go run ./examples/secure -server address -ca ca.pem [-cert client.pem -key client.key]
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"log"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

func main() {
	server := flag.String("server", "127.0.0.1:50051", "address of the server")
	ca := flag.String("ca", "", "who signed the server's certificate, PEM; without, whom this machine trusts")
	cert := flag.String("cert", "", "our certificate, PEM")
	key := flag.String("key", "", "its key, PEM")
	flag.Parse()
	config, err := settings(*ca, *cert, *key)
	if err != nil {
		log.Fatal(err)
	}
	client, err := bgcore.Dial(*server, grpc.WithTransportCredentials(credentials.NewTLS(config)))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	answer, err := client.Variants.ListVariants(context.Background(), &bgcorev1.ListVariantsRequest{})
	if err != nil {
		log.Fatal(err)
	}
	for _, variant := range answer.GetVariants() {
		fmt.Println(variant.GetId())
	}
}

func settings(ca, cert, key string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: expected certificates in PEM", ca)
		}
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
