// The place of the user, which browsers ask a service for.
// @control: none, a frame of another site needs the embedder's leave
export default async () => {
  await new Promise((resolve, reject) => { navigator.geolocation.getCurrentPosition(resolve, reject) })
}
