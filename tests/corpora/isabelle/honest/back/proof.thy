apply (rule ccontr)
apply blast
done