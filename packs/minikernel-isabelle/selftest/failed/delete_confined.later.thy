  using authority_confinement by blast
