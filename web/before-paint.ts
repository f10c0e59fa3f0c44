// Runs before the first paint, blocking and tiny, and imports nothing.

// A remembered theme must never flash the other one first.
{
  let theme: string | null = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // Storage is blocked: the system's choice it is.
  }
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset['theme'] = theme
}

// A sign-in ends at the front page; where it began, this tab alone knows. Nothing of the front page shows on the way.
{
  const { pathname, search, origin } = location
  const given = new URLSearchParams(search)
  if (pathname === '/' && (given.has('token') || given.has('login_error'))) {
    let back: URL | undefined
    try {
      back = new URL(sessionStorage.getItem('return_to') ?? '/', origin)
      sessionStorage.removeItem('return_to')
    } catch {
      // Storage is blocked, or somebody wrote nonsense there.
    }
    if (back?.origin === origin && back.pathname + back.search !== '/') {
      for (const [name, value] of given) back.searchParams.set(name, value)
      document.documentElement.hidden = true
      // The front page may still come to life meanwhile and must not spend the token.
      history.replaceState(null, '', '/')
      location.replace(back)
    }
  }
}
