  by (induct g addr rule: strip.induct (auto
