using [[simproc foo]] by simp
