import type { Site } from './site.ts'

/** The browser downloads this file. */
export const DEFAULT_SITE: Site = {
  name: 'Scriptyard',
  public_url: '',
  has_chat: false,
  has_email: false,
  discord_cdn_url: 'https://cdn.discordapp.com',
  tagline: 'Luau scripts from the community. Read the code, check the reviews, copy and go.',
  logo: null,
  links: [],
  look: {
    theme_color: '#8b5cf6',
    stylesheet: null,
    icons: null,
    // In the build, with the default name.
    preview_image: '/og-image.png',
  },
  has_rules: true,
}
