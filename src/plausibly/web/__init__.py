"""The annotation server: store, allocation, participant and researcher API, pages."""
