apply (rule that [of "n - 1"])
using assms by simp