/** The messages, enumerations and services of bgcore.v1, as generated. */
export * from "./gen/bgcore/v1/common_pb.js";
export * from "./gen/bgcore/v1/rules_service_pb.js";
export * from "./gen/bgcore/v1/table_pb.js";
export * from "./gen/bgcore/v1/table_service_pb.js";
export * from "./gen/bgcore/v1/variant_service_pb.js";
