by (induct xs) auto
end
theory T imports Main begin
definition hard where "hard = True"