  \<proof>
