"""Studies: whole spaces of points, estimated on one machine or a cluster into Parquet, and read by SQL."""
