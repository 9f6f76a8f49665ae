// A request whose answer may write to shared storage.
export default async (t) => {
  await fetch(t.https('shared-storage'), { sharedStorageWritable: true, mode: 'no-cors' })
}
