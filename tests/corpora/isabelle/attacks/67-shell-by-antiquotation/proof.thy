proof -
  txt \<open>@{bash_function x}\<close>
qed