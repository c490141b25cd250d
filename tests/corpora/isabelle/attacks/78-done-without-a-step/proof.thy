apply -
done