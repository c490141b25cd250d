apply (rule rev_rev_ident)
apply (rule length_rev)
done