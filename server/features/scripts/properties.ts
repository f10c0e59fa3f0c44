/** What an author decides of a script, besides its code and image. */
export interface Properties {
  title: string
  description: string
  version: string
  /** Folded names in their order. */
  tags: string[]
  has_key_system: boolean
  key_system_url: string | null
  is_universal: boolean
  game_id: string | null
  is_client_side: boolean
  is_free: boolean
  is_public: boolean
  is_mobile_compatible: boolean
  is_working: boolean
}

/** What a form gives of them; undefined is left out. */
export type GivenProperties = { [K in keyof Properties]: Properties[K] | undefined }

/** The former state with what is given in its place. A switch that is off takes along what stood behind it. */
export function mergeProperties(former: Properties, given: GivenProperties): Properties {
  const merged = { ...former }
  const set = <K extends keyof Properties>(key: K, value: Properties[K] | undefined) => {
    if (value !== undefined) merged[key] = value
  }
  for (const key of Object.keys(former) as (keyof Properties)[]) set(key, given[key])
  if (!merged.has_key_system) merged.key_system_url = null
  if (merged.is_universal) merged.game_id = null
  return merged
}
