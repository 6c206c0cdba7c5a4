"""What is known of NCCL, fabrics and hardware: tables, each value with its source."""
