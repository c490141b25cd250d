  by auto

end
