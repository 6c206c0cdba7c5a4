"""Fit a line with three processes that average their gradients."""

import argparse

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main() -> None:
    """Train, and let rank 0 say how it goes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=32)
    options = parser.parse_args()

    # MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE come from the operator.
    dist.init_process_group(backend="gloo")
    torch.manual_seed(dist.get_rank())  # every process draws its own data
    model = DistributedDataParallel(torch.nn.Linear(1, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(options.epochs):
        inputs = torch.rand(options.batch_size, 1)
        loss = torch.nn.functional.mse_loss(model(inputs), 3 * inputs + 1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
