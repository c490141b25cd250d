using Quickcheck_Narrowing.sum_def by simp
