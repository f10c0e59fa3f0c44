import { useState } from 'react'
import type { CollectionSummary } from '#contract/collections.ts'
import { MAX_COLLECTION_DESCRIPTION_LENGTH, MAX_COLLECTION_NAME_LENGTH } from '#contract/limits.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Field } from '#web/ui/field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

interface Props {
  /** Undefined creates a collection. */
  collection?: CollectionSummary
  /** The first script of a new collection. */
  scriptId?: number
  onSaved: (collection: CollectionSummary) => void
  onClose: () => void
}

/** Creates or changes a collection. */
export function CollectionDialog({ collection, scriptId, onSaved, onClose }: Props) {
  const api = useApi()
  const run = useAction()
  const [name, setName] = useState(collection?.name ?? '')
  const [description, setDescription] = useState(collection?.description ?? '')
  const [isPublic, setPublic] = useState(collection?.is_public ?? false)
  const save = async () => {
    const fields = { name, description: description.trim() || null, is_public: isPublic }
    const response = await run(
      () =>
        collection
          ? api('PUT /api/collections', { body: { id: collection.id, ...fields } })
          : api('POST /api/collections', {
              body: { ...fields, ...(scriptId === undefined ? {} : { script_id: scriptId }) },
            }),
      {
        success: collection ? 'Collection saved' : `“${name.trim()}” created`,
        failure: collection ? "Couldn't save the collection" : "Couldn't create the collection",
      },
    )
    onSaved(response.collection)
  }
  return (
    <FormDialog
      title={collection ? 'Edit collection' : 'New collection'}
      submitLabel={collection ? 'Save' : 'Create'}
      busyLabel={collection ? 'Saving...' : 'Creating...'}
      canSubmit={name.trim() !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field name="name" label="Name" isRequired error={errors['name']}>
            {(aria) => <TextInput {...aria} value={name} onChange={setName} maxLength={MAX_COLLECTION_NAME_LENGTH} />}
          </Field>
          <Field name="description" label="Description" error={errors['description']}>
            {(aria) => (
              <TextArea
                {...aria}
                value={description}
                onChange={setDescription}
                maxLength={MAX_COLLECTION_DESCRIPTION_LENGTH}
              />
            )}
          </Field>
          <Switch
            label="Public"
            help="Everyone can see it, and it is listed on your profile."
            isOn={isPublic}
            onChange={setPublic}
          />
        </>
      )}
    </FormDialog>
  )
}
