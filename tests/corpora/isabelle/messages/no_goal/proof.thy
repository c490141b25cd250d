proof - } qed
