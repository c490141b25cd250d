apply blast
print_state
done