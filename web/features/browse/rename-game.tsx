import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import type { Game } from '#contract/catalogue.ts'
import { MAX_GAME_NAME_LENGTH } from '#contract/limits.ts'
import { useRevalidator } from '#web/router/router.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

/** Names a game, for moderators and admins. */
export function RenameGame({ game }: { game: Game }) {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState(game.name ?? '')
  const save = async () => {
    await run(() => api('PUT /api/game', { body: { id: game.game_id, name } }), {
      success: 'Game renamed',
      failure: "Couldn't rename the game",
    })
    void revalidate()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Pencil aria-hidden className="size-4" />
        {game.name === null ? 'Name this game' : 'Rename'}
      </Button>
      {isOpen && (
        <FormDialog
          title={game.name === null ? 'Name this game' : 'Rename game'}
          submitLabel="Save"
          busyLabel="Saving..."
          canSubmit={name.trim() !== ''}
          onSubmit={save}
          onClose={() => setOpen(false)}
        >
          {(errors) => (
            <Field
              name="name"
              label="Name"
              help={`The name of game ${game.game_id} on Roblox. Authors can't change it afterwards.`}
              isRequired
              error={errors['name']}
            >
              {(aria) => <TextInput {...aria} value={name} onChange={setName} maxLength={MAX_GAME_NAME_LENGTH} />}
            </Field>
          )}
        </FormDialog>
      )}
    </>
  )
}
