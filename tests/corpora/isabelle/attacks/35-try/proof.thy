try
by blast