```isabelle
by blast
```