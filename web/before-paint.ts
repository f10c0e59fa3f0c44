// Blocks the first paint, so it is tiny and imports nothing.

// Applies the stored theme before the other one can flash.
{
  let theme: string | null = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // Storage is blocked: the system's theme applies.
  }
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset['theme'] = theme
}

// The server renders pages for visitors. Styles hide from members what they would see only until hydration.
try {
  if (localStorage.getItem('auth_token')) document.documentElement.dataset['member'] = ''
} catch {
  // Storage is blocked: nobody is signed in.
}

// The styles open the filters of a list on wide screens, unless they were closed before.
try {
  if (localStorage.getItem('filters') === 'closed') document.documentElement.dataset['filters'] = 'closed'
} catch {
  // Storage is blocked: they are open.
}

// Lists of scripts as rows instead of cards.
try {
  if (localStorage.getItem('view') === 'list') document.documentElement.dataset['view'] = 'list'
} catch {
  // Storage is blocked: they are cards.
}

// Discord redirects to the front page. The page where the sign-in started is in this tab's storage: redirects there, and
// hides the front page until then.
{
  const { pathname, search, origin } = location
  const parameters = new URLSearchParams(search)
  if (pathname === '/' && (parameters.has('token') || parameters.has('login_error'))) {
    let back: URL | undefined
    try {
      back = new URL(sessionStorage.getItem('return_to') ?? '/', origin)
      sessionStorage.removeItem('return_to')
    } catch {
      // Storage is blocked, or the stored value is not a URL.
    }
    if (back?.origin === origin && back.pathname + back.search !== '/') {
      for (const [name, value] of parameters) back.searchParams.set(name, value)
      document.documentElement.hidden = true
      // The front page may still hydrate before the redirect and must not use up the token.
      history.replaceState(null, '', '/')
      location.replace(back)
    }
  }
}
