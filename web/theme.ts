// Runs before the first paint, blocking and tiny: a remembered theme must never flash the other one first.
{
  let theme: string | null = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // Storage is blocked: the system's choice it is.
  }
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset['theme'] = theme
}
