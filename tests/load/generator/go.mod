module posthorn/generator

go 1.24
