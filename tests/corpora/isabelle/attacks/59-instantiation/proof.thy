oops
instantiation nat :: marked begin definition "mark (x::nat) = 0" instance by standard end