"""What people may write: the experiment, the environment and the workspace, as pydantic models."""
