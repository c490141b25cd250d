apply (rule conjI)
apply (rule conjI | rule conjunct1)+
done
