// Package bgcore is a client of bgcore, the rules of backgammon and its relatives as a service.
//
// [Dial] gives a [Client]; that makes tables and asks about rules. The messages themselves, as generated, are in
// gen/bgcore/v1. Every call takes a context, and every error that a call returns is an [*Error].
package bgcore
