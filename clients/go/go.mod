module tapbench

go 1.19
