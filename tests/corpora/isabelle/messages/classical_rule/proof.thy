by (auto dest: TrueI)
