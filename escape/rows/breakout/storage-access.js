// Storage access: the page asks for the storage that it would have as a page of its own, and for that of the site above.
// @control: none, what it would get is the sandbox's own
export default async () => {
  await Promise.allSettled([
    (async () => document.requestStorageAccess({ all: true }))(),
    (async () => document.requestStorageAccessFor(location.ancestorOrigins[0]))(),
    (async () => navigator.storage.persist())(),
  ])
}
