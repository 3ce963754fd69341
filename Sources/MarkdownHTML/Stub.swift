// Stub: replaced when the stage is built.
