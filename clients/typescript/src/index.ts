/**
 * Client of bgcore, the rules of backgammon and its relatives as a service.
 *
 * `connect` gives a `Bgcore`; that makes tables and asks about rules. The messages themselves are in `v1`.
 */
export * from "./everywhere.js";
export { connect, type ConnectOptions } from "./node.js";
