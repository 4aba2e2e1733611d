"""The messages and calls of the service, generated from `proto/bolshak/v1`: see `python/README.md`."""
