import { FormAlert } from '#web/ui/form-alert.tsx'

/** The entries for which a bulk action failed, and why. Renders nothing without failures. */
export function FailureList({ failures }: { failures: readonly { id: number; name: string; error: string }[] }) {
  if (failures.length === 0) return null
  return (
    <FormAlert>
      <p>Failed for:</p>
      <ul className="list-inside list-disc">
        {failures.map(({ id, name, error }) => (
          <li key={id}>
            <bdi className="font-medium">{name}</bdi>: {error}
          </li>
        ))}
      </ul>
    </FormAlert>
  )
}
