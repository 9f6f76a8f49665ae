package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// followers are the clients. Each has one stream of events.
type followers struct {
	client  http.Client
	end     context.CancelFunc
	arrived chan time.Duration // one duration for each push
	failed  chan error
}

var eventsAddress = regexp.MustCompile(`"events":"([^"]+)"`)

// follow opens a stream for each sandbox, and returns once all have started.
func follow(port int, outer []string, s settings) (*followers, error) {
	ctx, end := context.WithCancel(context.Background())
	f := &followers{end: end, arrived: make(chan time.Duration, int(s.Time.Seconds()*float64(s.Pushes))), failed: make(chan error, len(outer))}
	f.client.Transport = &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, fmt.Sprint("127.0.0.1:", port))
	}}
	for _, address := range outer {
		page, err := f.get(ctx, address)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(page.Body)
		page.Body.Close()
		found := eventsAddress.FindSubmatch(text)
		if err != nil || found == nil {
			return nil, fmt.Errorf("%s names no events: %w", address, err)
		}
		origin := address[:strings.LastIndex(address, "/")]
		stream, err := f.get(ctx, origin+string(found[1]))
		if err != nil {
			return nil, err
		}
		lines := bufio.NewReader(stream.Body)
		if err := f.event(lines, nil); err != nil { // of the sandbox's creation
			return nil, err
		}
		go func() {
			for {
				if err := f.event(lines, f.arrived); err != nil {
					f.failed <- err
					return
				}
			}
		}()
	}
	return f, nil
}

func (f *followers) get(ctx context.Context, address string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, "GET", address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Sec-Fetch-Dest", "iframe") // as an outer frame sends it; nothing else looks at it
	answer, err := f.client.Do(r)
	if err == nil && answer.StatusCode != 200 {
		answer.Body.Close()
		err = fmt.Errorf("%s answers %s", address, answer.Status)
	}
	return answer, err
}

// event reads to the end of the next event, and sends its age.
func (f *followers) event(lines *bufio.Reader, age chan<- time.Duration) error {
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.HasPrefix(line, "event: ") { // for the outer frame itself, not an event of the log
			if _, err := lines.ReadString('\n'); err != nil {
				return err
			}
			continue
		}
		data, is := strings.CutPrefix(line, "data: ")
		if !is {
			continue
		}
		now := time.Now()
		var event struct{ Time time.Time }
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			return err
		}
		if age != nil {
			age <- now.Sub(event.Time)
		}
		return nil
	}
}

// wait returns the ages of as many events as there were pushes.
func (f *followers) wait(pushes int) (ages []time.Duration, err error) {
	late := time.After(time.Minute)
	for len(ages) < pushes {
		select {
		case age := <-f.arrived:
			ages = append(ages, age)
		case err := <-f.failed:
			return nil, errors.Join(errors.New("a stream has ended"), err)
		case <-late:
			return nil, fmt.Errorf("%d of %d events have not come", pushes-len(ages), pushes)
		}
	}
	return ages, nil
}

func (f *followers) close() { f.end() }
