"""The written forms of both reports. Each renderer reads only the models, so that all print the same figures."""
