by induct_tacc
