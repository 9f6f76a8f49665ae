// Devices with a network behind them: a serial port, a Bluetooth device, a USB device.
// @control: none, each wants a choice of the user's, and no canary is a device
export default async () => {
  await Promise.allSettled([
    (async () => navigator.serial.requestPort())(),
    (async () => navigator.usb.requestDevice({ filters: [] }))(),
    (async () => navigator.bluetooth.requestDevice({ acceptAllDevices: true }))(),
  ])
}
