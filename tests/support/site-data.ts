/** The look of a site without branding, as `GET /api/site` has it. */
export const DEFAULT_LOOK = {
  tagline: 'Scripts.',
  logo: null,
  links: [],
  look: { theme_color: '#8b5cf6', stylesheet: null, icons: null, preview_image: '/og-image.png' },
  has_rules: false,
}

/** What `PUT /api/branding` takes to restore all defaults, without the version and the logo. */
export const DEFAULT_BRANDING = {
  name: null,
  tagline: null,
  accent_dark: null,
  accent_light: null,
  chat_url: null,
  links: [],
  rules: null,
  terms: null,
  privacy: null,
}
