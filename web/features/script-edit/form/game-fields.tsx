import { useEffect, useState } from 'react'
import { GAME_ID_PATTERN, MAX_GAME_NAME_LENGTH } from '#contract/limits.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { FieldErrors, ScriptValues } from './values.ts'

const PAUSE_MS = 400
const NOT_FOUND = 404
const GAME_ID = new RegExp(GAME_ID_PATTERN)
const HELP = "The number in the game's URL: roblox.com/games/1234567890."

interface Props {
  values: ScriptValues
  errors: FieldErrors
  change: (change: Partial<ScriptValues>) => void
}

/** The game of a script, and its name if nobody entered it yet. */
export function GameFields({ values, errors, change }: Props) {
  const name = useGameName(values.game_id.trim())
  return (
    <>
      <Field name="game_id" label="Game ID" help={name ? `${HELP} This is ${name}.` : HELP} error={errors['game_id']}>
        {(aria) => (
          <TextInput
            {...aria}
            dir="ltr"
            inputMode="numeric"
            value={values.game_id}
            onChange={(game_id) => change({ game_id })}
          />
        )}
      </Field>
      {name === null && (
        <Field
          name="game_name"
          label="Game name"
          help="You're the first to publish for this game. People find your script by its name."
          error={errors['game_name']}
        >
          {(aria) => (
            <TextInput
              {...aria}
              value={values.game_name}
              onChange={(game_name) => change({ game_name })}
              maxLength={MAX_GAME_NAME_LENGTH}
            />
          )}
        </Field>
      )}
    </>
  )
}

/** The name of a game; null if it has none, undefined until that is known. */
function useGameName(gameId: string): string | null | undefined {
  const api = useApi()
  const [known, setKnown] = useState<{ gameId: string; name: string | null }>()
  useEffect(() => {
    if (!GAME_ID.test(gameId)) return
    const controller = new AbortController()
    const load = () =>
      api('GET /api/game', { query: { id: gameId }, signal: controller.signal })
        .then(({ game }) => setKnown({ gameId, name: game.name }))
        .catch((error: unknown) => {
          if (error instanceof ApiError && error.status === NOT_FOUND) setKnown({ gameId, name: null })
        })
    const timer = setTimeout(() => void load(), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, gameId])
  return known?.gameId === gameId ? known.name : undefined
}
