"""Between the wire's messages and the engine's values. Nothing is decided here but what a field means."""
