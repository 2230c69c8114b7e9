// Loads a Compose file as `docker compose config` does, and prints it as JSON.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
)

// Usage: compose-check <file> <profiles, comma-separated>; variables come from the environment.
func main() {
	options, err := cli.NewProjectOptions([]string{os.Args[1]},
		cli.WithOsEnv, cli.WithProfiles(strings.Split(os.Args[2], ",")))
	if err == nil {
		project, failed := options.LoadProject(context.Background())
		err = failed
		if err == nil {
			text, failed := project.MarshalJSON()
			err = failed
			os.Stdout.Write(text)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
