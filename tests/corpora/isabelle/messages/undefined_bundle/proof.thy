proof - include lifting_syntaxx qed
