quickcheck [tester = narrowing]
by blast