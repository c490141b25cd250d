oops
axiomatization where target: "(1::nat) = 2"