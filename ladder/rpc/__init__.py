"""The frame around every gRPC service of the ladder process: options, errors, tokens, limits, metrics, health."""
